package io.penstock.spark;

final class RunningTasksTest {

  private final RunningTasks running = new RunningTasks();

  public void a_task_counts_from_its_start_to_its_end() {
    Check.equal(0, running.count());
    running.startOnThisThread();
    Check.equal(1, running.count());
    running.endOnThisThread();
    Check.equal(0, running.count());
  }

  public void an_end_without_a_start_does_not_count() {
    running.endOnThisThread();
    running.startOnThisThread();
    Check.equal(1, running.count());
  }

  public void a_start_whose_end_was_never_reported_does_not_count_twice() {
    running.startOnThisThread();
    running.startOnThisThread();
    Check.equal(1, running.count());
  }

  public void tasks_on_several_threads_count_each() throws InterruptedException {
    running.startOnThisThread();
    Thread other = new Thread(running::startOnThisThread);
    other.start();
    other.join();
    Check.equal(2, running.count());
    running.endOnThisThread();
    Check.equal(1, running.count());
  }
}
