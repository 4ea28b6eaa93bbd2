"""What is measured, how, and against whom. Never part of the test run."""
