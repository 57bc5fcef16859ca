-- The functions that a module listed last, so that one that is down leaves them.
create table pipelines_functions (
  business_id text not null,
  module_id text not null,
  group_id text not null,          -- '' if there is none
  insights text not null,          -- JSON: the functions as they were read
  complaints text not null,        -- JSON: sentences about the list
  read_at bigint not null,         -- when the module answered
  asked_at bigint not null,        -- when it was asked last
  primary key (business_id, module_id, group_id)
);

create index pipelines_functions_asked on pipelines_functions (asked_at);

-- How the function of a link is described now, where the link does not fit that.
alter table pipelines_link add column outdated text not null default '[]';
