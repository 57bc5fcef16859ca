-- The key under which the template of its asset has the signal; null: it is of no template.
alter table assets_signal add column template_key text;
