-- Devices are found by letters of their identity, name and description.

-- Whether provisioning_term has the letters that the device has now. Whoever changes one of the
-- three clears it in the same statement; a new device begins without. Of the few without, each
-- search looks at the device itself.
alter table provisioning_identity add column searchable boolean not null default false;

create index provisioning_identity_unsearchable on provisioning_identity (connector_id)
  where not searchable;

-- All parts of a text that are one, two or three letters long, some of them more than once. It
-- takes some 50 us, which the planner must know: else it compares row by row beside the index.
create function provisioning_grams(given text) returns text[] language sql immutable cost 5000
return array(
  select substr(given, place, size)
  from generate_series(1, length(given)) as places (place), generate_series(1, 3) as sizes (size)
);

-- Apart from the identity, so that no activation and no write of a device touches the index of
-- letters. A row counts if its identity is searchable.
create table provisioning_term (
  connector_id text not null,
  identity text not null,
  letters text not null,           -- folded by fold-letters.ts, not by the database's own locale
  primary key (connector_id, identity),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

create index provisioning_term_grams on provisioning_term using gin (provisioning_grams(letters));
