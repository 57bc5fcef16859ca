-- Lines of a business that keeps them for another time than the instance.
create index activity_line_business on activity_line (business_id, owner, at);
