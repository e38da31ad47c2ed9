"""The house's side of the trainer: seats' decisions and the notebook that stores them."""
