-- Null: it was not deleted. The row goes last, when nothing else of the business is left.
alter table accounts_business add column removed_at bigint;  -- milliseconds
