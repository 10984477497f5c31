//! Tests of the server from outside: real sockets, a real database, the kernel's own small game.

mod abuse;
mod agree;
mod analysis;
mod client;
mod failing;
mod harness;
mod kill;
mod load;
mod people;
mod play;
mod postgres;
mod python;
mod snapshots;
mod timing;

#[allow(dead_code)]
#[path = "../../../kernel/tests/conformance/outpost/mod.rs"]
mod outpost;

/// The scenarios, each a test of its own on SQLite and all together in one test on PostgreSQL.
macro_rules! on_both {
    ($($module:ident :: $name:ident),* $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let database = super::harness::TestDatabase::sqlite();
                    super::$module::$name(database).await;
                }
            )*
        }

        /// Run each scenario with its own database on one PostgreSQL server.
        async fn run_all(server: &crate::postgres::Postgres) {
            $(
                println!("postgres: {}", stringify!($name));
                $module::$name(server.database(stringify!($name)).await).await;
            )*
        }
    };
}

on_both! {
    play::a_whole_game_and_its_proof,
    play::two_people_and_their_secrets,
    play::nothing_is_lost_or_repeated,
    play::undo_and_takeback,
    play::a_bot_plays,
    play::a_restart_changes_nothing,
    play::the_past_can_be_seen,
    play::files_go_out_and_in,
    people::guests_accounts_devices,
    agree::pauses_and_stand_ins,
    agree::plans_branches_labs,
    people::rematch_archive_lists,
    people::notices_and_webhooks,
    people::notices_survive_a_restart,
    analysis::only_where_it_is_allowed,
    analysis::decisions_are_played_out,
    analysis::what_is_hidden_stays_hidden,
    analysis::advice_can_be_withdrawn,
    analysis::a_pondering_bot_can_be_hurried,
    snapshots::a_long_game_is_taken_up_from_its_snapshot,
    snapshots::a_snapshot_that_does_not_fit_is_ignored,
    failing::a_room_outlives_its_rules,
    failing::a_bot_whose_rules_fail_is_reported,
    abuse::acting_for_another,
    abuse::replayed_messages,
    abuse::malformed_and_huge,
    abuse::guessed_links,
    abuse::sql_and_html,
    abuse::floods,
    abuse::other_sites,
    abuse::tokens_stay_out_of_logs,
    timing::clocks_run_out,
    timing::a_short_clock_reminds_too,
}
