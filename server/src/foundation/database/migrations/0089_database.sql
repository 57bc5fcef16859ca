-- Whether processes of the version before the file go on with the tables that it has made.
alter table database_migration add column beside boolean not null default false;
