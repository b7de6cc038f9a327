/** The exchanges with an error whose words are not those of the published server: its status and its form are. */
export const PYTHON_ERRORS: readonly string[] = words(`
  create-without-body create-invalid-id create-null-metadata create-list-metadata create-invalid-if-exists
  create-malformed create-no-graph create-unknown-graph foreign-without-graph-do-nothing create-ttl-invalid
  create-ttl-null patch-ttl-null patch-ttl-null-metadata read-invalid-id patch-unknown patch-invalid-id copy-unknown
  search-invalid-status search-invalid-order search-invalid-field search-limit-0 search-limit-1001 search-invalid-offset
  search-select-invalid search-select-ttl search-without-body state-invalid-id history-limit-1001 history-limit-0
  history-before-text history-without-body write-no-graph run-read-unknown run-failed run-failed-read run-failed-state
  run-unknown-graph run-unknown-thread run-invalid-strategy write-busy run-rejected cancel-ended delete-running-read
  stateless-failed cancel-none delete-invalid-id patch-deleted assistant-both assistant-unknown-graph assistant-no-graph
  assistant-null-name assistant-invalid-limit assistant-invalid-id assistant-malformed assistant-unknown
  assistant-by-graph assistant-patch-null-description assistant-patch-null-metadata assistant-patch-unknown-graph
  assistant-patch-both assistant-patch-unknown versions-past-the-end versions-unknown latest-unknown latest-missing
  assistants-limit-0 assistants-limit-1001 assistants-unknown-graph assistants-invalid-order assistants-select-invalid
  assistants-without-body assistant-schemas-unknown assistant-delete-read assistant-delete-again cron-invalid-schedule
  cron-reboot cron-no-next-date cron-unknown-zone cron-empty-zone cron-null-zone cron-null-end cron-local-webhook
  cron-on-thread-strategy cron-on-unknown-thread cron-unknown cron-invalid-id cron-patch-null-zone
  cron-patch-null-webhook cron-patch-invalid-schedule cron-patch-nothing crons-graph crons-limit-1001 cron-delete-again
  cron-delete-read cron-of-deleted-thread cron-of-deleted-assistant form-cron-thread-null-end assistant-default-run
  auth-missing auth-missing-create auth-other-scheme auth-patch-other auth-copy-other assistant-nul-key
  waiting-no-graph-state store-put-number store-put-no-key stream-steps-failed history-by-get history-by-get-3
  number-too-large stream-failed waiting-no-graph-history waiting-no-graph-state-at waiting-no-graph-state-find
  search-limit-text run-checkpoint-text sent-no-input
`);

export const JAVASCRIPT_ERRORS: readonly string[] = words(`
  store-put-no-namespace store-put-period store-put-empty-label store-put-number store-put-no-key create-taken
  create-taken-raise create-invalid-id create-null-metadata create-list-metadata create-invalid-if-exists
  create-unknown-graph foreign-raise patch-ttl patch-ttl-null read-invalid-id patch-empty patch-unknown patch-invalid-id
  copy-unknown search-invalid-status search-by-state-updated-at-asc search-by-state-updated-at-desc search-invalid-order
  search-invalid-field search-limit-0 search-limit-1001 search-invalid-offset state-invalid-id history-before
  history-before-configurable history-before-both history-before-unknown run-read-unknown run-failed run-failed-state
  run-unknown-graph run-unknown-thread run-invalid-strategy write-busy run-rejected delete-running-read stateless-failed
  delete-invalid-id patch-deleted assistant-taken assistant-taken-raise assistant-no-graph assistant-null-description
  assistant-null-name assistant-invalid-limit assistant-invalid-id assistant-unhyphenated-id assistant-unknown
  assistant-patch-null-description assistant-patch-null-metadata assistant-patch-unknown versions-past-the-end
  versions-unknown latest-unknown latest-missing assistants-limit-0 assistants-limit-1001 assistants-invalid-order
  assistant-schemas-unknown assistant-delete-read assistant-delete-again cron-smallest cron-full cron-context cron-graph
  cron-unknown-assistant cron-no-assistant cron-no-schedule cron-invalid-schedule cron-reboot cron-no-next-date
  cron-six-fields cron-alias cron-unknown-zone cron-empty-zone cron-null-zone cron-any-end cron-null-end
  cron-local-webhook cron-any-strategy cron-reserved cron-on-thread cron-on-thread-strategy cron-on-unknown-thread
  crons-graph crons-limit-1001 cron-due cron-due-version cron-due-never cron-due-disabled cron-due-ending
  cron-due-stopped form-cron form-cron-thread form-cron-thread-context form-cron-thread-null-end
  form-cron-durability-sync form-cron-durability-async form-cron-durability-exit form-cron-multitask_strategy-enqueue
  form-cron-multitask_strategy-reject form-cron-multitask_strategy-interrupt form-cron-multitask_strategy-rollback
  form-cron-stream_mode-values form-cron-stream_mode-messages form-cron-stream_mode-messages-tuple
  form-cron-stream_mode-updates form-cron-stream_mode-events form-cron-stream_mode-tasks
  form-cron-stream_mode-checkpoints form-cron-stream_mode-debug form-cron-stream_mode-custom
  form-cron-on_run_completed-delete form-cron-on_run_completed-keep form-cron-thread-durability-sync
  form-cron-thread-durability-async form-cron-thread-durability-exit form-cron-thread-multitask_strategy-enqueue
  form-cron-thread-multitask_strategy-reject form-cron-thread-multitask_strategy-interrupt
  form-cron-thread-multitask_strategy-rollback form-cron-thread-stream_mode-values form-cron-thread-stream_mode-messages
  form-cron-thread-stream_mode-messages-tuple form-cron-thread-stream_mode-updates form-cron-thread-stream_mode-events
  form-cron-thread-stream_mode-tasks form-cron-thread-stream_mode-checkpoints form-cron-thread-stream_mode-debug
  form-cron-thread-stream_mode-custom assistant-default-run auth-ok auth-missing auth-missing-create auth-other-scheme
  auth-patch-other auth-copy-other auth-create-taken auth-create-taken-do-nothing cron-reserved-context cron-nul
  assistant-run waiting-no-graph-state assistant-spelling-1 assistant-spelling-2 assistant-spelling-run
  stream-steps-failed history-by-get history-by-get-3 stream-failed protocol-no-id protocol-channels
  waiting-no-graph-history waiting-no-graph-state-at waiting-no-graph-state-find protocol-events-failed search-limit-text run-checkpoint-text
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
