import { visibleLine } from '@countersign/display';
import type { ApprovalSummary } from '@countersign/server/client';
import { goTo } from '../navigation/current-route.js';

export type NotificationState = 'on' | 'off' | 'refused' | 'missing';

export function notificationState(): NotificationState {
  if (!('Notification' in window)) return 'missing';
  const { permission } = Notification;
  return permission === 'granted' ? 'on' : permission === 'denied' ? 'refused' : 'off';
}

export async function askToNotify(): Promise<NotificationState> {
  await Notification.requestPermission();
  return notificationState();
}

/** Only while the page is hidden. Windows of one browser notify of the same question once. */
export function notify({ sessionId, callId, tool, title }: ApprovalSummary): void {
  if (notificationState() !== 'on' || !document.hidden) return;
  try {
    const shown = new Notification('Needs your approval', {
      body: `${tool}: ${visibleLine(title)}`,
      tag: `${sessionId}/${callId}`,
      icon: '/icon.svg',
    });
    shown.addEventListener('click', () => {
      window.focus();
      goTo({ view: 'approval', sessionId, callId });
      shown.close();
    });
  } catch {
    // Some phones show them only for installed pages; the inbox shows it anyway.
  }
}
