//! Forces bought by points.
