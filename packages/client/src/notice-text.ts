import type { Notice } from './transcript.js';

/** What happened to the session itself, for plain lines; the page says it in sentences of its own. */
export function noticeText(notice: Notice): string {
  switch (notice.type) {
    case 'taken_up':
      return `taken up again, mode ${notice.mode}`;
    case 'mode_changed':
      return `mode ${notice.mode}, set by ${notice.by}`;
    case 'compressed':
      return `what was said before is a summary for the model from here on:\n${notice.summary}`;
  }
}
