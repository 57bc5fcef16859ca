-- beside: yes
-- How far a device has downloaded a content: the last upload of it that the device began with.
create table provisioning_download (
  connector_id text not null,
  content text not null,
  identity text not null,
  generation text not null,        -- the upload of the content
  received bigint not null,        -- bytes from the first one on, without a gap
  begun_at bigint not null,        -- microseconds, as every time below
  completed_at bigint,             -- null: bytes are missing
  primary key (connector_id, content, identity),
  foreign key (connector_id, content)
    references provisioning_content (connector_id, id) on delete cascade,
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

create index provisioning_download_identity on provisioning_download (connector_id, identity);

-- Devices with a tag shall get a content. A campaign ends with its content.
create table provisioning_campaign (
  connector_id text not null,
  id text not null,
  content text not null,
  tag_name text not null,
  tag_value text,                  -- null: any value
  created_at bigint not null,
  primary key (connector_id, id),
  foreign key (connector_id, content)
    references provisioning_content (connector_id, id) on delete cascade
);

create unique index provisioning_campaign_of_content
  on provisioning_campaign
    (connector_id, content, tag_name, coalesce(tag_value, ''), (tag_value is null));
