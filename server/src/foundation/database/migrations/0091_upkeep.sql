-- How long data are kept, in hours; what has no row is kept as the limits of the instance say.
create table upkeep_retention (
  business_id text not null,                 -- empty: all businesses that have no row
  kind text not null,                        -- log, values, lines, notifications, contents, audit
  hours bigint not null,
  primary key (business_id, kind)
);
