"""Designs paytables that reach a target house edge."""
