"""Strategies written by people as ranges and rules in words, evaluated exactly."""
