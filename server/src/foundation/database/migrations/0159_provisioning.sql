-- A device has one credential, of its method: a column for each method said the same three times.
-- It is the SHA-256 of a token or of a certificate, or the argon2id hash of a password.
alter table provisioning_identity add column credential text;
update provisioning_identity set credential = coalesce(token_hash, password_hash, certificate)
where auth_type is not null;
alter table provisioning_identity
  drop column token_hash, drop column password_hash, drop column certificate;
create unique index provisioning_identity_token on provisioning_identity (credential)
  where auth_type = 'token';

alter table provisioning_rotation add column credential text;
update provisioning_rotation set credential = coalesce(token_hash, password_hash, certificate);
alter table provisioning_rotation
  drop column token_hash, drop column password_hash, drop column certificate;
create index provisioning_rotation_credential on provisioning_rotation (credential)
  where credential is not null;

alter table provisioning_revocation rename column token_hash to credential;
