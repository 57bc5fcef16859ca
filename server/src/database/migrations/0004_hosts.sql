-- Owners of host names: the first label before the domain of the instance. Connectors and
-- solutions take theirs by insert, so that one label never leads to two.
create table hosts_label (
  label text primary key,
  kind text not null,              -- connector, solution
  business_id text not null,
  taken_at bigint not null,        -- microseconds, as every time below
  kept_until bigint                -- null: in use; else released, and its business's until then
);

create index hosts_label_kept on hosts_label (business_id, kept_until)
  where kept_until is not null;
create index hosts_label_until on hosts_label (kept_until) where kept_until is not null;
