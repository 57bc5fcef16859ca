-- Private addresses that the operator opened for the requests of one business's scripts.
create table http_allow (
  business_id text not null,
  entry text not null,             -- host:port, in one spelling
  created_at bigint not null,      -- milliseconds
  primary key (business_id, entry)
);
