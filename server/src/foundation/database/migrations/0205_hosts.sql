-- Owners of host names: the first label before the domain of the instance. Connectors and
-- solutions take theirs by insert, so that one label never leads to two.
create table hosts_label (
  label text primary key,
  kind text not null,              -- connector, solution
  business_id text not null,
  taken_at bigint not null,        -- microseconds, as every time below
  -- Null: in use. Else the label is released, and only its business may take it until then.
  retained_until bigint
);

create index hosts_label_retained on hosts_label (business_id, retained_until)
  where retained_until is not null;
create index hosts_label_retained_until on hosts_label (retained_until)
  where retained_until is not null;
