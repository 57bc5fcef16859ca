-- When a session of the user began last: unused accounts are found by it. Sessions that are still
-- kept say it for those who signed in before.
alter table accounts_user add column signed_in_at bigint;   -- milliseconds; null: not known
update accounts_user u set signed_in_at = (
  select max(created_at) from accounts_session s
  where s.business_id = u.business_id and s.user_id = u.id);
