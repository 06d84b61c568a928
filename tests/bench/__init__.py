"""Benchmarks, side by side with OpenSpiel and easyAI in one run: `python -m tests.bench`; nothing here is a test."""
