package io.penstock.spark;

final class EditDistanceTest {

  public void equal_words_are_no_edit_apart() {
    Check.equal(0, EditDistance.between("rows", "rows"));
  }

  public void a_letter_put_in_taken_out_or_changed_is_one_edit() {
    Check.equal(1, EditDistance.between("rows", "row"));
    Check.equal(1, EditDistance.between("rws", "rows"));
    Check.equal(1, EditDistance.between("rows", "rows".replace('w', 'v')));
  }

  public void edits_add_up_in_both_directions() {
    Check.equal(3, EditDistance.between("kitten", "sitting"));
    Check.equal(3, EditDistance.between("sitting", "kitten"));
  }

  public void an_empty_word_is_as_far_as_the_other_is_long() {
    Check.equal(4, EditDistance.between("", "rows"));
    Check.equal(4, EditDistance.between("rows", ""));
  }
}
