"""The five documents as data: one TOML file each, every value beside its clause."""
