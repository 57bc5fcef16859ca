-- Documents that say what people do about a condition, and the files of their versions. The bytes
-- of files are contents of their business.
create table policies_instruction (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order of lists
  group_id text not null,
  name text not null,
  version integer not null,                     -- of the newest file; 0: there is none
  created_at bigint not null,                   -- microseconds, as every time below
  updated_at bigint not null,
  primary key (business_id, id)
);

create index policies_instruction_list on policies_instruction (business_id, number);
create index policies_instruction_group on policies_instruction (business_id, group_id);

create table policies_version (
  business_id text not null,
  instruction_id text not null,
  version integer not null,
  id text not null,                             -- of the content, too
  filename text not null,
  content_type text not null,
  bytes bigint not null,
  modified_at bigint,                           -- of the file, where its owner said
  created_at bigint not null,
  sha256 text,                                  -- of the bytes, in hexadecimal; null: not known
  primary key (business_id, instruction_id, version),
  foreign key (business_id, instruction_id) references policies_instruction (business_id, id)
    on delete cascade
);

-- A policy is about conditions of assets in its group or below it: those that match all that is
-- given.
create table policies_policy (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,
  group_id text not null,
  priority integer not null,                    -- the least counts first
  instruction_id text,
  levels bigint[],                              -- null: any
  category text,
  asset_type text,
  translations jsonb not null,                  -- an array of texts by language
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  foreign key (business_id, instruction_id) references policies_instruction (business_id, id)
);

create index policies_policy_list on policies_policy (business_id, priority, number);
create index policies_policy_group on policies_policy (business_id, group_id);
create index policies_policy_instruction on policies_policy (business_id, instruction_id)
  where instruction_id is not null;
