-- Mutations that were sent with a clientMutationId, each with its answer, sealed by the key of the
-- instance. Written in the transaction of the mutation.
create table graphql_mutation (
  business_id text not null,
  subject text not null,                        -- the sender
  client_mutation_id text not null,
  digest text not null,                         -- of the field and its arguments
  answer text not null,
  at bigint not null,
  primary key (business_id, subject, client_mutation_id)
);

create index graphql_mutation_age on graphql_mutation (at);
create index graphql_mutation_business on graphql_mutation (business_id, at);
