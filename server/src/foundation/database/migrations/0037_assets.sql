-- The changes of one rule, newest first.
create index assets_event_rule on assets_event (business_id, asset_id, rule_id, number desc);
