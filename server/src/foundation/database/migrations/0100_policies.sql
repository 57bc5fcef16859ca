-- The SHA-256 of the bytes, in hexadecimal; null of files that were stored before.
alter table policies_version add column sha256 text;
