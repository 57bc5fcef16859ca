-- Connectors that were deleted and of which there is still something to clear away. Nobody reaches
-- them: the row of provisioning_connector is gone. The label of their host is in use until the end.
create table provisioning_removal (
  connector_id text primary key,
  business_id text not null,
  identities bigint not null,      -- so many it had
  removed_at bigint not null       -- microseconds
);
