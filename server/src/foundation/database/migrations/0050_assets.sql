-- What happened to all assets of a business, newest first.
create index assets_event_list on assets_event (business_id, at desc, number desc);
