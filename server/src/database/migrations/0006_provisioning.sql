-- How a device proves who it is, beside its token.
alter table provisioning_identity add column password_hash text;      -- argon2id
alter table provisioning_identity add column certificate_given text;  -- the operator's: SHA-256
alter table provisioning_identity add column certificate text;        -- provisioned with: SHA-256

alter table provisioning_connector
  add column ip_restriction jsonb not null default '{"enabled": false, "allowed": []}';
alter table provisioning_connector
  add column pki jsonb not null default
    '{"enabled": false, "caPem": null, "vendor": null,
      "vendorOptions": {"profile": "", "apiKey": null, "validityMonths": null, "url": ""}}';
