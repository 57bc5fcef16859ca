-- beside: yes
-- The group in which a dashboard lies; null: it is of the whole business, and seen by who sees all
-- of that.
alter table dashboards_dashboard add column group_id text;
