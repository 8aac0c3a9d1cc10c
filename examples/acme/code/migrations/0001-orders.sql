create table orders (id bigint primary key, placed_at timestamptz not null, total_cents bigint not null);
