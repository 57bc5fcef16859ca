-- Devices with a tag, for the counts of campaigns. It has no device without tags.
create index provisioning_identity_tags on provisioning_identity using gin (tags jsonb_path_ops)
  where tags <> '[]'::jsonb;
