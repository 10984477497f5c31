//! Positions written in a lab file.
