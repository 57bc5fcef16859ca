-- What the field's tools send of a connector and expect back; neither changes what it does.
alter table provisioning_connector
  add column protocol_name text not null default 'http',
  add column presenter_identity boolean not null default false;
