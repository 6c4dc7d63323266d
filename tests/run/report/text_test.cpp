#include <anachron/base/text.hpp>

#include <anachron/base/error.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

TEST(Printable, KeepsText) {
  for (const std::string text : {"", "plain", "two\nlines\tand a tab", "\u00e4\u20ac\U0001f600", "\u00a0"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("a\x1b[31mb\rc\x7f"), "a\\x1b[31mb\\x0dc\\x7f");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m") << "a terminal may take it for ESC [";
}

TEST(Printable, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(printable("\xc3("), "\\xc3(");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "longer than needed";
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last";
}

TEST(ByteOrderMark, OfUtf8IsTaken) {
  EXPECT_EQ(without_byte_order_mark("text", "f"), "text");
  EXPECT_EQ(without_byte_order_mark("\xef\xbb\xbftext", "f"), "text");
  EXPECT_EQ(without_byte_order_mark("", "f"), "");
}

TEST(ByteOrderMark, OfOthersIsNamed) {
  for (const std::string& text :
       {std::string("\xff\xfet\0", 4), std::string("\xfe\xff\0t", 4), std::string("\0\0\xfe\xff", 4)})
    EXPECT_EQ(message_of<InputError>([&] { without_byte_order_mark(text, "f"); }),
              "f:1: a byte order mark of UTF-16 or UTF-32: expected a file in UTF-8");
}

}  // namespace
}  // namespace anachron::test
