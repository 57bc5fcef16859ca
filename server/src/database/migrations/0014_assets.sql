-- How often what devices feed has changed, so that what is remembered of it can be compared with
-- it. Counted in the transaction of the change, so both are seen at once; the sum of a business's
-- slots is what counts, and several slots keep changes of different assets from waiting in line.
create table assets_structure (
  business_id text not null,
  slot smallint not null,
  generation bigint not null,
  primary key (business_id, slot)
) with (fillfactor = 50);
