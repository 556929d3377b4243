import type { Notice } from './transcript.js';

/** What happened to the session itself, for plain lines; the page says it in sentences of its own. */
export function noticeText(notice: Notice): string {
  switch (notice.type) {
    case 'taken_up':
      return `resumed, mode ${notice.mode}`;
    case 'mode_changed':
      return `mode ${notice.mode}, set by ${notice.by}`;
    case 'compressed':
      if (notice.summary === '') return 'the context was cleared: the model no longer gets earlier messages';
      return `earlier messages were summarised for the model:\n${notice.summary}`;
  }
}
