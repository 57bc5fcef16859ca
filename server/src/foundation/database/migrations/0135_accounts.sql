-- The units in which a user wants to see values, for each type of data of the catalogue.
create table accounts_preferred_units (
  business_id text not null,
  user_id text not null,
  data_type text not null,                   -- its name in the catalogue, no alias
  units text not null,                       -- metric or us
  primary key (business_id, user_id, data_type),
  foreign key (business_id, user_id) references accounts_user (business_id, id) on delete cascade
);
