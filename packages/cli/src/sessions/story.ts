import { Transcript } from '@countersign/client';
import { type Journal, readPages } from '@countersign/engine';
import { emptySession, evolve, type Session } from '@countersign/kernel';
import type { Event, ToolCall } from '@countersign/protocol';

/** A session folded twice: into its state, and into what people are shown of it. */
export class Story {
  readonly session: Session;
  readonly transcript = new Transcript();

  constructor(sessionId: string) {
    this.session = emptySession(sessionId);
  }

  /** Gives the ids of the items that are new or changed. */
  hear(event: Event): readonly string[] {
    evolve(this.session, event);
    this.session.touched = [];
    return this.transcript.observe(event, this.#callOf(event));
  }

  #callOf(event: Event): ToolCall | undefined {
    const id =
      event.type === 'call.requested' ? event.request.callId : 'callId' in event ? event.callId : null;
    return id === null ? undefined : this.session.calls.get(id);
  }
}

export async function readStory(journal: Journal, sessionId: string): Promise<Story> {
  const story = new Story(sessionId);
  for await (const page of readPages(journal, sessionId)) for (const { event } of page) story.hear(event);
  return story;
}
