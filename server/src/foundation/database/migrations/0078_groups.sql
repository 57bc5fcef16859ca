-- What a change puts on the index's list of waiting entries is read by each look, and makes a scan
-- of all groups look cheaper than the index. Groups change seldom: each is entered at once.
alter index groups_group_path set (fastupdate = off);
select gin_clean_pending_list('groups_group_path'::regclass);
