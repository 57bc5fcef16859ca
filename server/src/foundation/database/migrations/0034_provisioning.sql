-- A script may choose the token of a new device: no two devices have the same one.
drop index provisioning_identity_token;
create unique index provisioning_identity_token on provisioning_identity (token_hash)
  where token_hash is not null;
