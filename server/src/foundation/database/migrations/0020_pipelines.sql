-- Of a module that a business uses, only its answer about itself is left here.
alter table pipelines_module
  drop column number,
  drop column name,
  drop column url,
  drop column endpoints,
  drop column created_at;
