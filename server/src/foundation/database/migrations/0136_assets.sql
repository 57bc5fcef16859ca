-- The saved changes of templates, of which the newest are kept.
create table assets_template_version (
  business_id text not null,
  template_id text not null,
  version integer not null,        -- from 1
  document text not null,          -- JSON: TemplateDocument
  saved_by text,                   -- the user or the token; null for the platform
  saved_at bigint not null,
  primary key (business_id, template_id, version)
);

-- What is there now is version 1.
insert into assets_template_version
  (business_id, template_id, version, document, saved_by, saved_at)
select business_id, id, 1,
  json_build_object('name', name, 'description', description, 'assetType', asset_type,
    'meta', meta::json, 'signals', signals::json, 'links', links::json)::text,
  null, updated_at
from assets_template;
