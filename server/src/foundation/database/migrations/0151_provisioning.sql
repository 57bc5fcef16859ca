-- The hash of a token that its device has not used, and the address to which it was sent: see the
-- limit activationRetryMinutes. Null if it is off, and after the first use of the token.
alter table provisioning_identity add column unused_hash text, add column unused_ip text;
