"""What is suspicious about a table that can be read: rules that do nothing, cells without rules, ties that matter."""

from teamplay.check.findings import CODES, Finding, mended
from teamplay.check.report import Report, check

__all__ = ["CODES", "Finding", "Report", "check", "mended"]
