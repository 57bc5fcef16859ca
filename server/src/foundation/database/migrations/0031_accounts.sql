-- Requests of the graph API in a window, and the sum of their milliseconds, that an API token or
-- each token of a role may have; null: a token has its role's, a role the instance's.
alter table accounts_role add column rate_requests integer, add column rate_ms bigint;
alter table accounts_token add column rate_requests integer, add column rate_ms bigint;
