# SPDX-License-Identifier: Apache-2.0
"""What breaks or slows an LLM server: one file per cause."""
