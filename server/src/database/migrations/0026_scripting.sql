-- `reuse_vm`: whether calls share one virtual machine, and so its globals; else each has its own.
-- `project`: what the folder's murano.yaml says of its layout; null where it has none.
alter table scripting_solution
  add column reuse_vm boolean not null default true,
  add column project jsonb;
