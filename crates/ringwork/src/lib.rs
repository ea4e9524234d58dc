//! ringwork
