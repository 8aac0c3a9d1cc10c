"""The ordered steps of a night: values in, an outcome out; time and ids are arguments."""
